/** `answer` can have code between backticks. */
export type Article = { id: string; question: string; answer: string };

export const articles: Article[] = [
  {
    id: 'react-performance',
    question: 'How do you improve the performance of a React application?',
    answer:
      'Measure first: the Profiler shows what renders, how often and why; the network panel shows what a visitor ' +
      'waits for. Then do less. Ship less code by splitting it per route, and send finished HTML so the first ' +
      "paint doesn't wait for scripts. Render less by keeping state next to where it is used: a change " +
      'renders everything below its owner, so moving state down or passing children through often cures what ' +
      '`memo` would only mask. Give lists stable keys, draw only what is near the screen, mark slow updates as ' +
      'transitions, and measure again.',
  },
  {
    id: 'react-state',
    question: 'How can you manage state in a React application?',
    answer:
      'Ask what kind of state it is before asking for a library. State of one component belongs in ' +
      '`useState`, or in `useReducer` when values change together. Move state that a few components share up to ' +
      'their nearest common parent. Use context for values that a subtree reads and that seldom change, such as a ' +
      'theme. State that a link should restore belongs in the URL. Server data is a cache rather than state, and RTK Query or TanStack Query ' +
      'keeps it fresh. What remains is global state that belongs to the client. It is usually small, and Redux or ' +
      'Zustand holds it well.',
  },
  {
    id: 'prototypal-inheritance',
    question: 'How does prototypal inheritance work?',
    answer:
      'Every JavaScript object has a hidden link to another object, its prototype, or to `null`. Reading a ' +
      'property looks at the object itself and then follows the links until it is found or the chain ends in ' +
      '`undefined`. Writing normally creates the property on the object itself and merely shadows the ' +
      "prototype's, unless a setter or a read-only property up the chain prevents it. So methods live once and " +
      'are shared, while `this` is the object before the dot. `Object.create`, `new` and `class` are three ways ' +
      'to write the same links. Nothing is copied, so objects that already exist see a method that is added to ' +
      'their prototype later.',
  },
  {
    id: 'setting-state',
    question: 'Why use the setter instead of changing state directly?',
    answer:
      'Because React would not know. With `const [products, setProducts] = useState([])`, `products` is the ' +
      "snapshot of one render: assigning to it is an error, and pushing into it changes the data behind React's " +
      'back while the screen keeps the old list. The setter queues the new value, batches it with others and ' +
      'renders again. React compares old and new by identity, so the same mutated array may be skipped, and every ' +
      '`memo` and effect that depends on it misses the change. Pass a new value instead, or a function when it ' +
      'builds on the last one: `setProducts((list) => [...list, item])`.',
  },
  {
    id: 'unit-test',
    question: 'What is a unit test, and why write one?',
    answer:
      'A unit test runs one small piece of behavior on its own and compares the result with what you expect, in ' +
      'milliseconds, with no network, clock or database to blame. It finds a mistake minutes after it was made, ' +
      'while the cause is still in your head; it lets you change the inside of the code without fear; and it ' +
      'shows the next reader, by example, what the code is for. Test what can be observed rather than how it is ' +
      'done, see each test fail once, and leave to integration and browser tests what only they can show: that ' +
      'the pieces fit.',
  },
];
