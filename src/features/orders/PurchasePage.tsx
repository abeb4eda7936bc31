import { useParams } from 'react-router-dom';
import { useGetToolQuery } from '../../api/apiSlice';
import { failureOf } from '../../contract/problem';
import { Head } from '../../ui/Head';
import { Hidden, Page, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { NoSuchTool } from './NoSuchTool';
import { PurchaseForm } from './PurchaseForm';
import { PurchaseSkeleton } from './PurchaseSkeleton';
import { Columns } from './purchaseStyle';
import { ToolFacts } from './ToolFacts';

/** Until it is known which. */
const SomeTool = ({ path }: { path: string }) => (
  <>
    <Head title="Order a tool" description="A tool from our works, by the crate." path={path} noindex />
    <Hidden as="h1">Order a tool</Hidden>
  </>
);

export default function PurchasePage() {
  const { id = '' } = useParams();
  const tool = useGetToolQuery(id, { refetchOnMountOrArgChange: true });
  const gone = failureOf(tool.error).status === 404;
  const path = `/purchase/${id}`;
  return (
    <Page>
      {gone ? (
        <NoSuchTool />
      ) : (
        <>
          {!tool.data && <SomeTool path={path} />}
          <QueryView query={tool} loading={<PurchaseSkeleton />}>
            {(found) => (
              <>
                <Head title={`Order ${found.name}`} description={found.description} path={path} noindex />
                <PageTitle>{found.name}</PageTitle>
                <Columns>
                  <ToolFacts tool={found} />
                  <PurchaseForm key={found._id} tool={found} />
                </Columns>
              </>
            )}
          </QueryView>
        </>
      )}
    </Page>
  );
}
