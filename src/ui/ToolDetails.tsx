import styled from 'styled-components';
import { keepUnitsTogether } from '../contract/keepUnitsTogether';
import { splitDescription } from '../contract/toolDescription';
import { color, lineLength, size, space } from './theme';

const Description = styled.p`
  max-width: ${lineLength};
  color: ${color.muted};
  overflow-wrap: anywhere;
  white-space: pre-line;
`;

const Specifications = styled.table`
  width: 100%;
  margin-top: ${space(6)};
  border-collapse: collapse;
  overflow-wrap: anywhere;
  caption {
    padding-bottom: ${space(2)};
    text-align: start;
  }
  h2 {
    font-size: ${size.lead};
  }
  th,
  td {
    padding-block: ${space(2)};
    border-top: 1px solid ${color.line};
    text-align: start;
    vertical-align: baseline;
  }
  th {
    width: 40%;
    padding-inline-end: ${space(4)};
    color: ${color.muted};
    font-weight: 400;
  }
  td {
    font-weight: 600;
  }
`;

/** Shows the description. Its lines such as "Weight: 500 g" become a table. */
export function ToolDetails({ description }: { description: string }) {
  const { text, facts } = splitDescription(description);
  return (
    <div>
      <Description dir="auto">{text}</Description>
      {facts.length > 0 && (
        <Specifications>
          <caption>
            <h2>Specifications</h2>
          </caption>
          <tbody>
            {facts.map(([label, value], i) => (
              <tr key={i}>
                <th scope="row" dir="auto">
                  {label}
                </th>
                <td dir="auto">{keepUnitsTogether(value)}</td>
              </tr>
            ))}
          </tbody>
        </Specifications>
      )}
    </div>
  );
}
