import { backup } from './scenarios/backup.mjs';
import { cluster } from './scenarios/cluster.mjs';
import { connection } from './scenarios/connection.mjs';
import { copies } from './scenarios/copies.mjs';
import { disk } from './scenarios/disk.mjs';
import { dripping } from './scenarios/dripping.mjs';
import { fuzz } from './scenarios/fuzz.mjs';
import { invoices } from './scenarios/invoices.mjs';
import { kills } from './scenarios/kills.mjs';
import { mail } from './scenarios/mail.mjs';
import { operator } from './scenarios/operator.mjs';
import { overload } from './scenarios/overload.mjs';
import { refunds } from './scenarios/refunds.mjs';
import { restarts } from './scenarios/restarts.mjs';
import { restocking } from './scenarios/restocking.mjs';
import { secondServer } from './scenarios/secondServer.mjs';
import { soak } from './scenarios/soak.mjs';
import { stock } from './scenarios/stock.mjs';
import { stops } from './scenarios/stops.mjs';

export const SCENARIOS = {
  ...{ kills, stops, secondServer, restarts, connection, disk },
  ...{ stock, restocking, refunds, invoices, copies, cluster, overload, dripping, backup, operator, mail, fuzz, soak },
};
