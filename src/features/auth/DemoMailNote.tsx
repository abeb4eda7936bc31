import styled from 'styled-components';
import { useConfig } from '../../config';
import { MutedText } from '../../ui/page';

const Command = styled.code`
  white-space: nowrap;
`;

/** Says where the link of an email is if no mail server sends it. */
export function DemoMailNote() {
  const { identity } = useConfig();
  if (identity.kind !== 'embedded' || !identity.sendsNoMail) return null;
  return (
    <MutedText>
      This demo sends no email. To find the link, run <Command>npm run mail</Command>, then{' '}
      <Command>npm run mail -- show ID</Command>.
    </MutedText>
  );
}
