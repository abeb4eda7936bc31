import { Picture } from '../../ui/Picture';
import { PictureFrame } from '../../ui/PictureFrame';
import { Section, StepList } from './aboutStyle';
import { factorySteps } from './factorySteps';

const SIZES = '(min-width: 1200px) 564px, (min-width: 640px) 47vw, 92vw';

export function FactoryPictures() {
  return (
    <Section aria-labelledby="factory">
      <h2 id="factory">How a tool is made</h2>
      <StepList>
        {factorySteps.map(({ name, text, picture, alt }) => (
          <li key={name}>
            <PictureFrame>
              <Picture src={picture} sizes={SIZES} alt={alt} width={1200} height={800} />
            </PictureFrame>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </StepList>
    </Section>
  );
}
