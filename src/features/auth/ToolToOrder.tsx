import styled from 'styled-components';
import { useGetToolQuery } from '../../api/apiSlice';
import { Picture } from '../../ui/Picture';
import { color, radius, space } from '../../ui/theme';
import { useHydrated } from '../../ui/useHydrated';

/** At least as high as the picture, so that nothing moves when the tool is loaded. */
const ToolRow = styled.div`
  display: grid;
  grid-template-columns: 80px minmax(0, 1fr);
  align-items: center;
  gap: ${space(4)};
  min-height: 60px;
  > :first-child {
    aspect-ratio: 4 / 3;
    overflow: hidden;
    border-radius: ${radius};
    background: ${color.plate};
  }
  > p {
    overflow-wrap: anywhere;
  }
`;

const PURCHASE_PATH = /^\/purchase\/([^/?#]+)/;

/** @returns the id of the tool that the visitor wanted to order, if the router's state has such a return path */
function readToolToOrder(state: unknown): string | undefined {
  const from = (state as { from?: unknown } | null)?.from;
  const id = PURCHASE_PATH.exec(typeof from === 'string' ? from : '')?.[1];
  return id && decodeURIComponent(id);
}

function Tool({ id }: { id: string }) {
  const { data: tool } = useGetToolQuery(id);
  return (
    <ToolRow>
      <div>
        {tool && <Picture src={tool.img} toolName={tool.name} alt="" width={400} height={300} sizes="80px" eager />}
      </div>
      <p>Log in or sign up to order {tool?.name ?? 'this tool'}</p>
    </ToolRow>
  );
}

/**
 * Names the tool that the visitor wanted to order before logging in. Not in the server's HTML, because only the browser
 * knows which page the visitor came from.
 */
export function ToolToOrder({ state }: { state: unknown }) {
  const isHydrated = useHydrated();
  const id = readToolToOrder(state);
  return isHydrated && id ? <Tool id={id} /> : null;
}
