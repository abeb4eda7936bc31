import styled from 'styled-components';
import { HOME_PAGE_STATS } from '../../contract/limits';
import { Content } from '../../ui/page';
import { plankEdges, stencil, wood } from '../../ui/stencil';
import { media, size, space } from '../../ui/theme';
import { Counter } from './Counter';

const Background = styled.section`
  ${wood}
`;

/** Two columns on phones. A single column if large or widely spaced text leaves no room for two. */
const Row = styled(Content)`
  display: flex;
  flex-wrap: wrap;
  column-gap: ${space(6)};
  > * {
    flex: 1 1 40%;
  }
  ${media.tablet} {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
  }
`;

const Stat = styled.div`
  display: flex;
  flex-direction: column-reverse;
  gap: ${space(2)};
  padding-top: ${space(5)};
  dt {
    ${plankEdges}
    padding-block: ${space(2)};
    font-weight: 600;
  }
  dd {
    ${stencil}
    font-size: ${size.page};
    ${media.wide} {
      font-size: ${size.hero};
    }
  }
`;

const STATS = [
  ['Total tools', HOME_PAGE_STATS.tools, '+'],
  ['Annual revenue', HOME_PAGE_STATS.revenueMillions, 'M+'],
  ['Clients', HOME_PAGE_STATS.clients, '+'],
  ['Reviews', HOME_PAGE_STATS.reviewsThousands, 'K+'],
] as const;

export function StatsBand() {
  return (
    <Background aria-label="Forgeline in numbers">
      <Row as="dl">
        {STATS.map(([label, end, suffix]) => (
          <Stat key={label}>
            <dt>{label}</dt>
            <dd>
              <Counter end={end} suffix={suffix} />
            </dd>
          </Stat>
        ))}
      </Row>
    </Background>
  );
}
