import styled from 'styled-components';
import { DEMO_ACCOUNTS } from '../../contract/demo';
import { Button } from '../../ui/Button';
import { color, radius, size, space } from '../../ui/theme';

const Box = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(3)};
  padding: ${space(4)};
  border: 1px dashed ${color.edge};
  border-radius: ${radius};
  font-size: ${size.small};
  button {
    padding-inline: ${space(2)};
  }
`;

const Title = styled.h2`
  font-size: ${size.lead};
`;

type DemoBoxProps = {
  password: string | undefined;
  onChoose: (account: { email: string; password: string }) => void;
};

export function DemoBox({ password, onChoose }: DemoBoxProps) {
  return (
    <Box aria-labelledby="demo-accounts">
      <Title id="demo-accounts">Demo accounts</Title>
      <p>
        This is a demo, with no real orders or payments. Choose an account to fill in the form.{' '}
        {password ? `Password: ${password}.` : 'The server printed the passwords when it started.'}
      </p>
      {DEMO_ACCOUNTS.map(({ label, email }) => (
        <Button key={email} variant="quiet" onClick={() => onChoose({ email, password: password ?? '' })}>
          {label}: {email}
        </Button>
      ))}
    </Box>
  );
}
