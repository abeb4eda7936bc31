import { useParams } from 'react-router-dom';
import { useGetToolQuery } from '../../api/apiSlice';
import { failureOf } from '../../contract/problem';
import { Head } from '../../ui/Head';
import { Page, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { NoSuchTool } from './NoSuchTool';
import { PurchaseForm } from './PurchaseForm';
import { PurchaseSkeleton } from './PurchaseSkeleton';
import { Columns } from './purchaseStyle';
import { ToolFacts } from './ToolFacts';

export default function PurchasePage() {
  const { id = '' } = useParams();
  const tool = useGetToolQuery(id, { refetchOnMountOrArgChange: true });
  const gone = failureOf(tool.error).status === 404;
  return (
    <Page>
      {gone ? (
        <NoSuchTool />
      ) : (
        <QueryView query={tool} loading={<PurchaseSkeleton />}>
          {(found) => (
            <>
              <Head title={`Order ${found.name}`} description={found.description} path={`/purchase/${id}`} noindex />
              <PageTitle>{found.name}</PageTitle>
              <Columns>
                <ToolFacts tool={found} />
                <PurchaseForm key={found._id} tool={found} />
              </Columns>
            </>
          )}
        </QueryView>
      )}
    </Page>
  );
}
