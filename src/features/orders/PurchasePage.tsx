import { useParams } from 'react-router-dom';
import { useGetToolQuery } from '../../api/apiSlice';
import { splitDescription } from '../../contract/toolDescription';
import { failureOf } from '../../contract/problem';
import { Head } from '../../ui/Head';
import { NotFound } from '../../ui/NotFound';
import { VisuallyHidden, Page, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { ToolDetails } from '../../ui/ToolDetails';
import { useBelowFoldReady } from '../../ui/useIncrementalList';
import { PurchaseForm } from './PurchaseForm';
import { useKnownAddress } from './useKnownAddress';
import { Columns } from './purchaseStyle';
import { ToolFacts } from './ToolFacts';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';

const FormSkeleton = () => <Skeleton $height="773px" />;

function PurchaseSkeleton() {
  return (
    <>
      <Skeleton $height="52px" $width="60%" />
      <Columns>
        <Skeleton $height="auto" $ratio="4 / 3" />
        <div>
          <Spinner label="Loading the tool" />
          <FormSkeleton />
        </div>
      </Columns>
    </>
  );
}

const toolNotFound = (
  <NotFound
    title="Tool not found"
    description="Tool not found."
    why="It may have been removed, or the link may have a typo."
  />
);

/** The title of the page until the tool is loaded. */
const LoadingTitle = ({ path }: { path: string }) => (
  <>
    <Head title="Order a tool" description="A tool from our factory, sold by the crate." path={path} noindex />
    <VisuallyHidden as="h1">Order a tool</VisuallyHidden>
  </>
);

function ToolPurchase({ id }: { id: string }) {
  const tool = useGetToolQuery(id, { refetchOnMountOrArgChange: true });
  // Loaded together with the tool, so that the form begins with the address.
  const known = useKnownAddress();
  const path = `/purchase/${id}`;
  const isBelowFoldReady = useBelowFoldReady();

  if (failureOf(tool.error).status === 404) return toolNotFound;
  return (
    <Page>
      {!tool.data && <LoadingTitle path={path} />}
      <QueryView query={tool} loading={<PurchaseSkeleton />}>
        {(found) => (
          <>
            <Head
              title={`Order ${found.name}`}
              description={splitDescription(found.description).text}
              path={path}
              noindex
            />
            <PageTitle dir="auto">{found.name}</PageTitle>
            <Columns>
              <ToolFacts tool={found} />
              {isBelowFoldReady ? <PurchaseForm key={found._id} tool={found} known={known} /> : <FormSkeleton />}
              <ToolDetails description={found.description} />
            </Columns>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/**
 * The key makes React mount a new page for each tool. Otherwise the page would show the previous tool while the next
 * one is loading.
 */
export default function PurchasePage() {
  const { id = '' } = useParams();
  return <ToolPurchase key={id} id={id} />;
}
