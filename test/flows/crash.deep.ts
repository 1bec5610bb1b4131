import t from '../tap.js'
import { surviveAt, type Point } from './crash-approved-write.js'

/** The decision and the claim: what was approved is done once, whoever heard the answer. */
const points: Point[] = [
  { fault: 'confirm.before_commit:1', status: 'succeeded', updates: 1 },
  { fault: 'confirm.after_commit:1', status: 'succeeded', updates: 1 },
  { fault: 'call.before_claim:1', status: 'succeeded', updates: 1 },
  { fault: 'call.after_claim:1', status: 'succeeded', updates: 1 },
  { fault: 'call.before_send:1', status: 'succeeded', updates: 1 }
]

for (const point of points) t.test(`I64: a process that dies at ${point.fault}`, (t) => surviveAt(t, point))
