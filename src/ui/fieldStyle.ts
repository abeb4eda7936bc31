import styled, { css } from 'styled-components';
import { color, shortTransition, radius, size, space, touchTarget } from './theme';

export const FieldWrapper = styled.div`
  display: grid;
  gap: ${space(1)};
  min-width: 0;
`;

/** The asterisk's alternative text is empty, so that screen readers do not read it as part of the label. */
export const Label = styled.label<{ $required: boolean }>`
  font-weight: 600;
  ${({ $required }) =>
    $required &&
    css`
      &::after {
        content: ' *' / '';
        color: ${color.bad};
      }
    `}
`;

const inputStyle = css`
  width: 100%;
  min-height: ${touchTarget};
  padding: ${space(2)} ${space(3)};
  border: 1px solid ${color.edge};
  border-radius: ${radius};
  background: ${color.surface};
  transition: border-color ${shortTransition};
  &:hover:not(:read-only, :disabled) {
    border-color: ${color.ink};
  }
  &:focus-visible {
    outline: 3px solid ${color.focus};
    outline-offset: 2px;
    border-radius: ${radius};
  }
  &[aria-invalid='true'] {
    border-color: ${color.bad};
    box-shadow: inset 0 0 0 1px ${color.bad};
  }
  &:read-only:not(select) {
    background: ${color.paper};
    color: ${color.muted};
  }
  &::placeholder {
    color: ${color.muted};
    opacity: 1;
  }
`;

const CANCEL_LINE = 'transparent 46%, currentcolor 0 54%, transparent 0';

/** The cross that clears a search has the color of the text. In Chrome, it would be blue. */
export const Control = styled.input`
  ${inputStyle}
  &::-webkit-search-cancel-button {
    width: 16px;
    height: 16px;
    background: linear-gradient(45deg, ${CANCEL_LINE}), linear-gradient(-45deg, ${CANCEL_LINE});
    appearance: none;
    cursor: pointer;
  }
`;

/** Grows with its text. Firefox cannot do that, and scrolls. */
export const TextArea = styled.textarea`
  ${inputStyle}
  min-height: calc(${({ rows = 2 }) => rows} * 1lh + ${space(4)} + 2px);
  max-height: 60vh;
  field-sizing: content;
  resize: vertical;
`;

export const Select = styled.select`
  ${inputStyle}
`;

export const Hint = styled.p`
  color: ${color.muted};
  font-size: ${size.small};
`;

export const ErrorLine = styled.p`
  color: ${color.bad};
  font-size: ${size.small};
  font-weight: 600;
  &::before {
    content: '✕ ' / '';
  }
`;

export const Warning = styled.div`
  padding: ${space(2)} ${space(3)};
  border-inline-start: 3px solid ${color.amber};
  background: ${color.amberSoft};
  font-size: ${size.small};
`;
