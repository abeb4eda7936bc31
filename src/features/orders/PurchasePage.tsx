import { useParams } from 'react-router-dom';
import { useGetToolQuery } from '../../api/apiSlice';
import { failureOf } from '../../contract/problem';
import { Head } from '../../ui/Head';
import { NotFound } from '../../ui/NotFound';
import { Hidden, Page, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { useBelowFoldReady } from '../../ui/useIncrementalList';
import { PurchaseForm } from './PurchaseForm';
import { Columns } from './purchaseStyle';
import { ToolFacts } from './ToolFacts';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';

const FormSkeleton = () => <Skeleton $height="560px" />;

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

const noSuchTool = (
  <NotFound
    title="There is no such tool"
    description="There is no such tool."
    why="It may have been taken out of the shop, or the address has a typing mistake."
  />
);

/** Until it is known which. */
const SomeTool = ({ path }: { path: string }) => (
  <>
    <Head title="Order a tool" description="A tool from our works, by the crate." path={path} noindex />
    <Hidden as="h1">Order a tool</Hidden>
  </>
);

function PurchaseOf({ id }: { id: string }) {
  const tool = useGetToolQuery(id, { refetchOnMountOrArgChange: true });
  const path = `/purchase/${id}`;
  const isWhole = useBelowFoldReady();

  if (failureOf(tool.error).status === 404) return noSuchTool;
  return (
    <Page>
      {!tool.data && <SomeTool path={path} />}
      <QueryView query={tool} loading={<PurchaseSkeleton />}>
        {(found) => (
          <>
            <Head title={`Order ${found.name}`} description={found.description} path={path} noindex />
            <PageTitle>{found.name}</PageTitle>
            <Columns>
              <ToolFacts tool={found} />
              {isWhole ? <PurchaseForm key={found._id} tool={found} /> : <FormSkeleton />}
            </Columns>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Of another tool it is another page: while that is on its way, nothing of this one is shown in its place. */
export default function PurchasePage() {
  const { id = '' } = useParams();
  return <PurchaseOf key={id} id={id} />;
}
