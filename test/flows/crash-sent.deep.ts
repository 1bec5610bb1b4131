import t from '../tap.js'
import { surviveAt, type Point } from './crash-approved-write.js'

/** Before the point of no return it is sent by whoever takes over; after it, never again blindly. */
const points: Point[] = [
  { fault: 'idempotency.after_claim:1', status: 'succeeded', updates: 1 },
  { fault: 'idempotency.before_store:1', status: 'succeeded', updates: 1 },
  { fault: 'idempotency.after_store:1', status: 'succeeded', updates: 1 },
  { fault: 'call.after_send:1', status: 'succeeded', updates: 1 },
  // The fourth results: clusters, services in two parts, then the write.
  { fault: 'results.before_commit:4', status: 'succeeded', updates: 1 },
  { fault: 'results.after_commit:4', status: 'succeeded', updates: 1 }
]

for (const point of points) t.test(`I64: a process that dies at ${point.fault}`, (t) => surviveAt(t, point))
