import { backup } from './backup.mjs';
import { connection } from './connection.mjs';
import { copies } from './copies.mjs';
import { disk } from './disk.mjs';
import { dripping } from './dripping.mjs';
import { fuzz } from './fuzz.mjs';
import { kills } from './kills.mjs';
import { overload } from './overload.mjs';
import { restarts } from './restarts.mjs';
import { soak } from './soak.mjs';
import { standby } from './standby.mjs';
import { stock } from './stock.mjs';
import { stops } from './stops.mjs';
import { twice } from './twice.mjs';

export const PARTS = {
  ...{ kills, stops, twice, restarts, connection, disk },
  ...{ stock, copies, standby, overload, dripping, backup, fuzz, soak },
};
