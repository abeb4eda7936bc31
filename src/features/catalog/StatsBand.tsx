import styled from 'styled-components';
import { HOME_PAGE_STATS } from '../../contract/limits';
import { Content } from '../../ui/page';
import { color, font, media, size, space } from '../../ui/theme';
import { Counter } from './Counter';

const Background = styled.section`
  background: ${color.night};
  color: ${color.nightInk};
`;

/** Two columns on phones. A single column if large or widely spaced text leaves no room for two. */
const Row = styled(Content)`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(8)} ${space(6)};
  padding-block: ${space(12)};
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
  padding-inline-start: ${space(4)};
  border-inline-start: 3px solid ${color.nightEmber};
  dt {
    color: ${color.nightMuted};
  }
  dd {
    font: 600 ${size.page} / 1 ${font.display};
    font-variant-numeric: tabular-nums;
  }
`;

const stats = [
  { label: 'Total tools', end: HOME_PAGE_STATS.tools, suffix: '+' },
  { label: 'Annual revenue', end: HOME_PAGE_STATS.revenueMillions, suffix: 'M+' },
  { label: 'Clients', end: HOME_PAGE_STATS.clients, suffix: '+' },
  { label: 'Reviews', end: HOME_PAGE_STATS.reviewsThousands, suffix: 'K+' },
];

export function StatsBand() {
  return (
    <Background aria-label="Forgeline in numbers">
      <Row as="dl">
        {stats.map(({ label, end, suffix }) => (
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
