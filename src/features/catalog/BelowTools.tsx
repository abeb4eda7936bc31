import styled from 'styled-components';
import { Picture } from '../../ui/Picture';
import { ContactPrompt } from './ContactPrompt';
import { ReviewList } from './ReviewList';
import { StatsBand } from './StatsBand';

const Closing = styled.div`
  overflow: hidden;
  min-height: 200px;
  max-height: 600px;
`;

/** The part of the home page that nobody sees at first. */
export default function BelowTools() {
  return (
    <>
      <StatsBand />
      <ContactPrompt />
      <ReviewList />
      <Closing>
        <Picture
          src="/images/closing.svg"
          alt="The works at night, light in every window, crates at the gate"
          width={1600}
          height={600}
        />
      </Closing>
    </>
  );
}
