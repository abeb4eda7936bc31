import { digitsOf } from './cardRules';

const isDeletion = (event: Event) => event instanceof InputEvent && event.inputType.startsWith('delete');

/** Formatting would put a deleted space or slash back, so the digit next to it is deleted too. */
function deleteAdjacentDigit(
  digits: string,
  digitsBefore: number,
  isForward: boolean,
): { digits: string; digitsBefore: number } {
  const index = isForward ? digitsBefore : digitsBefore - 1;
  if (index < 0) return { digits, digitsBefore };
  return { digits: digits.slice(0, index) + digits.slice(index + 1), digitsBefore: isForward ? digitsBefore : index };
}

function caretAfter(text: string, digitCount: number): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (count === digitCount) return index;
    if (/\d/.test(text[index] ?? '')) count += 1;
  }
  return text.length;
}

/** Formats a field while the customer types, and keeps the caret at the same digit. */
export function formatWhileTyping(input: HTMLInputElement, format: (digits: string) => string) {
  let lastDigits = '';
  input.addEventListener('input', (event) => {
    const caret = input.selectionStart ?? input.value.length;
    const isAtEnd = caret === input.value.length;
    let typed = { digits: digitsOf(input.value), digitsBefore: digitsOf(input.value.slice(0, caret)).length };
    if (isDeletion(event) && typed.digits === lastDigits) {
      typed = deleteAdjacentDigit(
        typed.digits,
        typed.digitsBefore,
        (event as InputEvent).inputType === 'deleteContentForward',
      );
    }
    const formatted = format(typed.digits);
    const text = isDeletion(event) && isAtEnd ? /^(?:\D*\d)*/.exec(formatted)![0] : formatted;
    lastDigits = digitsOf(text);
    input.value = text;
    const newCaret = isAtEnd ? text.length : caretAfter(text, typed.digitsBefore);
    if (input.ownerDocument.activeElement === input) input.setSelectionRange(newCaret, newCaret);
  });
}
