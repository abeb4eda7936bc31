import type { ComponentProps } from 'react';
import styled from 'styled-components';
import { Field } from './Field';

const Box = styled.div`
  max-width: 560px;
`;

type Props = Omit<ComponentProps<typeof Field>, 'onChange'> & {
  value: string;
  onType: (text: string) => void;
  /** What was found. Screen readers announce it. */
  result: string;
};

export const SearchField = ({ onType, result, ...field }: Props) => (
  <Box>
    <Field
      {...field}
      type="search"
      autoComplete="off"
      onChange={(event) => onType(event.target.value)}
      hint={<span role="status">{result}</span>}
    />
  </Box>
);
