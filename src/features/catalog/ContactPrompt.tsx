import styled from 'styled-components';
import { CONTACT } from '../../contract/contact';
import { ButtonLink } from '../../ui/Button';
import { MutedText } from '../../ui/page';
import { color, lineLength, media, space } from '../../ui/theme';
import { Heading, Section } from './sectionStyle';

const Background = styled.div`
  background: ${color.surface};
`;

const Row = styled(Section)`
  display: grid;
  align-items: center;
  gap: ${space(6)};
  ${Heading} {
    margin-bottom: ${space(3)};
  }
  p {
    max-width: ${lineLength};
  }
  ${media.wide} {
    grid-template-columns: minmax(0, 1fr) auto;
  }
`;

const ContactLinks = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(3)};
`;

export function ContactPrompt() {
  return (
    <Background>
      <Row as="section" id="contact" aria-labelledby="contact-heading">
        <div>
          <Heading id="contact-heading">Not sure which tools you need?</Heading>
          <p>
            Ask the people who make them. Tell us the job, the material and the size of your crew, and we&apos;ll
            recommend the right tools.
          </p>
          <MutedText>{CONTACT.hours}</MutedText>
        </div>
        <ContactLinks>
          <ButtonLink href={`mailto:${CONTACT.email}?subject=Which%20tools%20do%20I%20need%3F`}>Email us</ButtonLink>
          <ButtonLink variant="quiet" href={CONTACT.phoneHref}>
            {`Call ${CONTACT.phone}`}
          </ButtonLink>
        </ContactLinks>
      </Row>
    </Background>
  );
}
