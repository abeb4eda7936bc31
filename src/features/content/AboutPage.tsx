import { FAQ } from '../../contract/faq';
import { Head } from '../../ui/Head';
import { MutedText, Page, PageTitle } from '../../ui/page';
import {
  FaqEntry,
  ProjectCards,
  ProjectCard,
  FigureList,
  ProjectLinks,
  Lead,
  Section,
  QualificationList,
} from './aboutStyle';
import { FactoryPictures } from './FactoryPictures';
import { faqAnswers } from './faqAnswers';
import { projects } from './projects';
import { qualifications } from './qualifications';

function Qualifications() {
  return (
    <Section aria-labelledby="qualifications">
      <h2 id="qualifications">Qualifications</h2>
      <QualificationList>
        {qualifications.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </QualificationList>
    </Section>
  );
}

function Projects() {
  return (
    <Section aria-labelledby="projects">
      <h2 id="projects">Sample projects</h2>
      <ProjectLinks>
        {projects.map(({ id, name }) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ProjectLinks>
      <ProjectCards>
        {projects.map(({ id, name, place, need, work, figures }) => (
          <ProjectCard key={id} id={id} aria-labelledby={`${id}-name`}>
            <MutedText>{place}</MutedText>
            <h3 id={`${id}-name`}>{name}</h3>
            <p>{need}</p>
            <p>{work}</p>
            <FigureList>
              {figures.map((figure) => (
                <li key={figure}>{figure}</li>
              ))}
            </FigureList>
          </ProjectCard>
        ))}
      </ProjectCards>
    </Section>
  );
}

function Questions() {
  return (
    <Section aria-labelledby="faq">
      <h2 id="faq">Questions and answers</h2>
      <dl>
        {FAQ.map(({ id, question }) => (
          <FaqEntry key={id} id={id}>
            <dt>{question}</dt>
            <dd>{faqAnswers[id]}</dd>
          </FaqEntry>
        ))}
      </dl>
    </Section>
  );
}

export default function AboutPage() {
  return (
    <Page>
      <Head
        title="About"
        description="Who makes Forgeline tools, our qualifications, sample projects, and answers about ordering."
        path="/about"
      />
      <PageTitle>One factory, from bar steel to crate</PageTitle>
      <Lead>
        We forge, harden, grind and pack in one building in Rockford, Illinois. The person who sells you a tool can walk
        over to the person who made it.
      </Lead>
      <FactoryPictures />
      <Qualifications />
      <Projects />
      <Questions />
    </Page>
  );
}
