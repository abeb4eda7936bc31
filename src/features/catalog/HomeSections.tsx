import styled from 'styled-components';
import { Picture } from '../../ui/Picture';
import blur from './blurs/closing.json';
import { ContactPrompt } from './ContactPrompt';
import { ReviewList } from './ReviewList';
import { StatsBand } from './StatsBand';
import { ToolList } from './ToolList';

/** On phones, the minimum height keeps the picture recognizable. The maximum height keeps it within one screen. */
const Closing = styled.div`
  position: relative;
  height: clamp(160px, 22vw, 320px);
  background: url(data:image/webp;base64,${blur}) center / cover;
  img {
    position: absolute;
    height: 100%;
    background: none;
    object-position: 80% 90%;
  }
`;

export default function HomeSections() {
  return (
    <>
      <ToolList />
      <StatsBand />
      <ContactPrompt />
      <ReviewList />
      <Closing>
        <Picture
          src="/images/slides/closing.webp"
          alt="A hammer and three nails on an old bench, in the evening light of a window"
          width={1600}
          height={640}
        />
      </Closing>
    </>
  );
}
