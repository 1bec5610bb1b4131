export { givenBy, saidBy, type Judgement, type KnownStatement, type Statement } from './statements.js'
