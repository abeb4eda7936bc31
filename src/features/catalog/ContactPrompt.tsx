import styled from 'styled-components';
import { CONTACT } from '../../contract/contact';
import { ButtonLink } from '../../ui/Button';
import { Muted } from '../../ui/page';
import { color, lineLength, media, space } from '../../ui/theme';
import { Heading, Section } from './sectionStyle';

const Ground = styled.div`
  background: ${color.emberSoft};
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

const Ways = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(3)};
`;

export function ContactPrompt() {
  return (
    <Ground>
      <Row as="section" id="contact" aria-labelledby="contact-heading">
        <div>
          <Heading id="contact-heading">Which tool for which job?</Heading>
          <p>Ask the people who make them. Tell us the work, the material and how many hands, and we name the tool.</p>
          <Muted>{CONTACT.hours}</Muted>
        </div>
        <Ways>
          <ButtonLink href={`mailto:${CONTACT.email}?subject=Which%20tool%20for%20which%20job`}>Write to us</ButtonLink>
          <ButtonLink variant="quiet" href={CONTACT.phoneHref}>
            {`Call ${CONTACT.phone}`}
          </ButtonLink>
        </Ways>
      </Row>
    </Ground>
  );
}
