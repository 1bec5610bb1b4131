import t from '../tap.js'
import { surviveAt, type Point } from './crash-approved-write.js'

/** The model's turns: the third asks for the write, the fourth says what became of it. */
const points: Point[] = [
  { fault: 'turn.before_commit:1', status: 'succeeded', updates: 1 },
  { fault: 'turn.before_commit:3', status: 'succeeded', updates: 1 },
  { fault: 'turn.after_commit:3', status: 'succeeded', updates: 1 },
  { fault: 'turn.before_commit:4', status: 'succeeded', updates: 1 },
  { fault: 'turn.after_commit:4', status: 'succeeded', updates: 1 }
]

for (const point of points) t.test(`I64: a process that dies at ${point.fault}`, (t) => surviveAt(t, point))
