import styled from 'styled-components';
import { Head } from '../../ui/Head';
import { Page, PageTitle } from '../../ui/page';
import { color, font, lineLength, size, space } from '../../ui/theme';
import { articles } from './articles';

const Title = styled(PageTitle)`
  text-align: center;
`;

const Divider = styled.hr`
  width: 96px;
  height: 4px;
  margin: ${space(4)} auto ${space(12)};
  border: 0;
  border-radius: 2px;
  background: ${color.ink};
`;

const Article = styled.article`
  max-width: ${lineLength};
  margin-inline: auto;
  & + & {
    margin-top: ${space(10)};
    padding-top: ${space(10)};
    border-top: 1px solid ${color.line};
  }
  h2 {
    margin-bottom: ${space(3)};
    font: 700 ${size.lead} / 1.2 ${font.text};
  }
  code {
    padding: 0.1em 0.3em;
    border: 1px solid ${color.line};
    border-radius: 4px;
    background: ${color.surface};
    font-size: 0.92em;
    font-family: ${font.mono};
    overflow-wrap: anywhere;
  }
`;

/** Splitting the text at backticks makes every second piece code. */
const ArticleAnswer = ({ text }: { text: string }) => (
  <p>{text.split('`').map((piece, index) => (index % 2 ? <code key={index}>{piece}</code> : piece))}</p>
);

const DESCRIPTION =
  'Five short answers on programming: React performance, managing state, prototypal inheritance, ' +
  'state setters and unit tests.';

export default function BlogPage() {
  return (
    <Page>
      <Head title="Blogs" description={DESCRIPTION} path="/blogs" />
      <Title>BLOG POSTS</Title>
      <Divider />
      {articles.map(({ id, question, answer }) => (
        <Article key={id} id={id}>
          <h2>{question}</h2>
          <ArticleAnswer text={answer} />
        </Article>
      ))}
    </Page>
  );
}
