import { useState } from 'react';
import styled from 'styled-components';
import { Field, type FieldProps } from './Field';
import { Control } from './fieldStyle';
import { VisuallyHidden } from './page';
import { color, radius, size, space, touchTarget } from './theme';

const InputWithButton = styled.div`
  position: relative;
`;

const PasswordInput = styled(Control)`
  padding-inline-end: ${space(18)};
`;

const RevealButton = styled.button`
  position: absolute;
  inset-block: 0;
  inset-inline-end: 0;
  min-width: ${touchTarget};
  padding-inline: ${space(3)};
  border: 0;
  border-radius: ${radius};
  background: none;
  color: ${color.ink};
  font-size: ${size.small};
  font-weight: 600;
  cursor: pointer;
`;

type PasswordFieldProps = Omit<FieldProps, 'children' | 'multiline' | 'type'>;

export function PasswordField({ label, hint, error, warning, required, id, ...input }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  return (
    <Field {...{ label, hint, error, warning, required, id }}>
      {(control) => (
        <InputWithButton>
          <PasswordInput {...input} {...control} type={isVisible ? 'text' : 'password'} />
          <RevealButton type="button" aria-controls={control.id} onClick={() => setVisible(!isVisible)}>
            {isVisible ? 'Hide' : 'Show'}
            <VisuallyHidden> password</VisuallyHidden>
          </RevealButton>
        </InputWithButton>
      )}
    </Field>
  );
}
