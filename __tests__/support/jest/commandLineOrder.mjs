import Sequencer from '@jest/test-sequencer';

export default class CommandLineOrder extends Sequencer {
  sort(tests) {
    return tests.toSorted((a, b) => process.argv.indexOf(a.path) - process.argv.indexOf(b.path));
  }
}
