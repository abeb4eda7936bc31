import { useState } from 'react';
import styled from 'styled-components';
import { Field, type FieldProps } from './Field';
import { Control } from './fieldStyle';
import { Hidden } from './page';
import { color, radius, size, space, touch } from './theme';

const Pair = styled.div`
  position: relative;
`;

const Secret = styled(Control)`
  padding-inline-end: ${space(18)};
`;

const Show = styled.button`
  position: absolute;
  inset-block: 0;
  inset-inline-end: 0;
  min-width: ${touch};
  padding-inline: ${space(3)};
  border: 0;
  border-radius: ${radius};
  background: none;
  color: ${color.ember};
  font-size: ${size.small};
  font-weight: 600;
  cursor: pointer;
`;

type PasswordFieldProps = Omit<FieldProps, 'children' | 'multiline' | 'type'>;

export function PasswordField({ label, hint, error, warning, required, id, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, hint, error, warning, required, id }}>
      {(control) => (
        <Pair>
          <Secret {...input} {...control} type={shown ? 'text' : 'password'} />
          <Show type="button" aria-controls={control.id} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
            <Hidden> password</Hidden>
          </Show>
        </Pair>
      )}
    </Field>
  );
}
