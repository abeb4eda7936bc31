import { useEffect, useLayoutEffect, useState, type MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { apiSlice, useGetToolQuery } from '../../api/apiSlice';
import { useConfig } from '../../config';
import type { Tool } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { failureOf } from '../../contract/problem';
import { describeShipping, NO_EXTRA_CHARGES } from '../../contract/terms';
import { splitDescription } from '../../contract/toolDescription';
import { toolPath } from '../../contract/toolPath';
import { ButtonLink } from '../../ui/Button';
import { CrateStack } from '../../ui/Crate';
import { EnlargeablePicture } from '../../ui/EnlargeablePicture';
import { Head } from '../../ui/Head';
import { NotFound } from '../../ui/NotFound';
import { opensElsewhere } from '../../ui/opensElsewhere';
import { MutedText, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { ToolDetails } from '../../ui/ToolDetails';
import { useHydrated } from '../../ui/useHydrated';
import { reportPictureShown } from './growPicture';
import { ToolDrawing } from './ToolDrawing';
import { familyOf } from './toolFamilies';
import { ToolRating, ToolReviews } from './ToolReviews';
import { stockNote } from './toolStock';
import type { FROM_LIST } from './ToolLink';
import {
  Columns,
  LargePicture,
  LinkLine,
  OneCrate,
  OrderBox,
  Price,
  Stock,
  StockNote,
  ToolArticle,
} from './toolPageStyle';

const SIZES = '(min-width: 1200px) 640px, (min-width: 900px) 54vw, 94vw';
const LIST_PATH = '/home#tools';

const notForSale = (
  <NotFound
    title="Tool not found"
    description="Tool not found."
    why="It may not be for sale anymore, or the link may have a typo."
  />
);

const skeleton = (
  <Columns>
    <Skeleton $height="auto" $ratio="4 / 3" />
    <div>
      <Spinner label="Loading the tool" />
      <Skeleton $height="420px" />
    </div>
  </Columns>
);

/** Until the tool is loaded, it is the tool of the list. An unknown tool is missing in the server's HTML too. */
function useTool(id: string) {
  const { listed } = apiSlice.endpoints.listTools.useQueryState(undefined, {
    selectFromResult: ({ data }) => ({ listed: data?.find(({ _id }) => _id === id) }),
  });
  const query = useGetToolQuery(id, { refetchOnMountOrArgChange: true });
  const data = query.data ?? listed;
  const isHydrated = useHydrated();
  const [isMissingInHtml] = useState(!isHydrated && !data);
  const isMissing = !data && (isMissingInHtml || failureOf(query.error).status === 404);
  return { ...query, data, isForSale: !isMissing && data?.onSale !== false };
}

const hasOpenOverlay = () => document.querySelector('dialog[open], :popover-open') !== null;

/** Escape and the link go back to the list, at the place that the customer left. */
function useClose() {
  const navigate = useNavigate();
  const state = useLocation().state as Partial<typeof FROM_LIST> | null;
  const isFromList = state?.isFromList === true;
  useEffect(() => {
    if (!isFromList) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !hasOpenOverlay()) void navigate(-1);
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isFromList, navigate]);
  return (event: MouseEvent) => {
    if (!isFromList || opensElsewhere(event)) return;
    event.preventDefault();
    void navigate(-1);
  };
}

function Order({ tool }: { tool: Tool }) {
  const note = stockNote(tool);
  const minimum = formatWithCommas(tool.minimumOrderQuantity);
  const { shipWithinDays } = useConfig();
  return (
    <OrderBox aria-label="Order">
      <PageTitle dir="auto">{tool.name}</PageTitle>
      <ToolRating id={tool._id} />
      <Price>
        <strong>{`Price: $ ${formatWithCommas(tool.price)}`}</strong> per piece
      </Price>
      <Stock>
        <p>{`Available: ${formatWithCommas(tool.availableQuantity)} piece`}</p>
        <p>{`Minimum Order: ${minimum}`}</p>
      </Stock>
      {!note && (
        <OneCrate>
          <CrateStack crates={1} pieces={minimum} />
          <div>
            <p>
              <strong>{formatDollars(tool.price * tool.minimumOrderQuantity)}</strong> for one crate of {minimum}
            </p>
            <MutedText>{NO_EXTRA_CHARGES}</MutedText>
          </div>
        </OneCrate>
      )}
      {note ? <StockNote>{note}</StockNote> : <p>{describeShipping(shipWithinDays)}</p>}
      <ButtonLink to={`/purchase/${tool._id}`} wide>
        Purchase
      </ButtonLink>
    </OrderBox>
  );
}

function OpenTool({ tool }: { tool: Tool }) {
  useLayoutEffect(reportPictureShown, []);
  return (
    <>
      <Head
        title={tool.name}
        description={splitDescription(tool.description).text}
        path={toolPath(tool._id)}
        picture={tool.img}
      />
      <Columns>
        <LargePicture>
          <EnlargeablePicture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={800} height={600} eager />
        </LargePicture>
        <Order tool={tool} />
        <div>
          <ToolDetails description={tool.description} />
          <ToolDrawing {...tool} />
        </div>
      </Columns>
    </>
  );
}

/** The address of a tool: the home page, with the tool open in place of its content. */
export default function ToolPage({ id }: { id: string }) {
  const tool = useTool(id);
  const close = useClose();
  if (!tool.isForSale) return notForSale;
  const family = tool.data && familyOf(tool.data);
  return (
    <>
      <ToolArticle as="article">
        <LinkLine>
          <Link to={LIST_PATH} onClick={close}>
            Back to the tools
          </Link>
          {family && <Link to={`/home?family=${family}#tools`}>More in {family}</Link>}
        </LinkLine>
        <QueryView query={tool} loading={skeleton}>
          {(found) => <OpenTool tool={found} />}
        </QueryView>
      </ToolArticle>
      <ToolReviews id={id} />
    </>
  );
}
