import { digitsOf } from './cardRules';

const isDeletion = (event: Event) => event instanceof InputEvent && event.inputType.startsWith('delete');

/** Deleting only a space or a stroke means the digit beside it. */
function withoutNeighbour(digits: string, before: number, forward: boolean): { digits: string; before: number } {
  const at = forward ? before : before - 1;
  if (at < 0) return { digits, before };
  return { digits: digits.slice(0, at) + digits.slice(at + 1), before: forward ? before : at };
}

function caretAfter(text: string, digitCount: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (seen === digitCount) return at;
    if (/\d/.test(text[at] ?? '')) seen += 1;
  }
  return text.length;
}

/** Formats a field while one types in it, and leaves the caret at the digit where it was. */
export function keepFormatted(input: HTMLInputElement, format: (digits: string) => string) {
  let last = '';
  input.addEventListener('input', (event) => {
    const caret = input.selectionStart ?? input.value.length;
    const atEnd = caret === input.value.length;
    let now = { digits: digitsOf(input.value), before: digitsOf(input.value.slice(0, caret)).length };
    if (isDeletion(event) && now.digits === last) {
      now = withoutNeighbour(now.digits, now.before, (event as InputEvent).inputType === 'deleteContentForward');
    }
    const formatted = format(now.digits);
    const text = isDeletion(event) && atEnd ? /^(?:\D*\d)*/.exec(formatted)![0] : formatted;
    last = digitsOf(text);
    input.value = text;
    const place = atEnd ? text.length : caretAfter(text, now.before);
    if (input.ownerDocument.activeElement === input) input.setSelectionRange(place, place);
  });
}
