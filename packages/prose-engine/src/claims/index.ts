export { saidBy, verdicts, type Statement, type Verdict } from './statements.js'
