import styled from 'styled-components';
import { useGetToolQuery } from '../../api/apiSlice';
import { ButtonLink } from '../../ui/Button';
import { Content } from '../../ui/page';
import { color, space } from '../../ui/theme';

const Strip = styled.div`
  border-bottom: 1px solid ${color.line};
  background: ${color.emberSoft};
`;

const Row = styled(Content)`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(2)} ${space(4)};
  padding-block: ${space(3)};
  > p {
    overflow-wrap: anywhere;
  }
`;

/**
 * Leads a customer who has just signed up back to the tool that they wanted to order. Not in recordings, because the
 * router's state is not.
 */
export default function ContinueOrder({ id }: { id: string }) {
  const { data: tool } = useGetToolQuery(id);
  if (!tool) return null;
  return (
    <Strip role="status">
      <Row>
        <p>
          Welcome! You wanted to order <bdi>{tool.name}</bdi>.
        </p>
        <ButtonLink to={`/purchase/${tool._id}`}>Continue your order</ButtonLink>
      </Row>
    </Strip>
  );
}
