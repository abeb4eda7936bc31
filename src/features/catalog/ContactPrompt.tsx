import styled from 'styled-components';
import { CONTACT } from '../../contract/contact';
import { ButtonLink } from '../../ui/Button';
import { MutedText } from '../../ui/page';
import { space } from '../../ui/theme';
import { Heading, Section } from './sectionStyle';

const Row = styled(Section)`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(4)} ${space(3)};
  ${Heading} {
    margin-bottom: ${space(2)};
  }
  p {
    max-width: 56ch;
  }
  > :first-child {
    flex: 1 1 400px;
  }
`;

export function ContactPrompt() {
  return (
    <Row as="section" id="contact" aria-labelledby="contact-heading">
      <div>
        <Heading id="contact-heading">Not sure which tools you need?</Heading>
        <p>Tell us the job, the material and the size of your crew. The people who make them answer.</p>
        <MutedText>{CONTACT.hours}</MutedText>
      </div>
      <ButtonLink variant="outline" href={`mailto:${CONTACT.email}?subject=Which%20tools%3F`}>
        Email us
      </ButtonLink>
      <ButtonLink variant="outline" href={CONTACT.phoneHref}>
        {`Call ${CONTACT.phone}`}
      </ButtonLink>
    </Row>
  );
}
