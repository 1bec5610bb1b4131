const words = (list: string): RegExp => {
  const forms = list.trim().split('\n').map((line) => line.trim())
  return new RegExp(`(?<![\\p{L}-])(?:${forms.join('|')})(?![\\p{L}-])`, 'giu')
}

/** Words that are vague without a number. */
export const vague = words(`
  fast(?:er)?
  quick(?:ly|er)?
  slow(?:ly|er)?
  easy
  easi(?:ly|er)
  simple
  simply
  user[- ]friendly
  intuitive(?:ly)?
  efficient(?:ly)?
  effective(?:ly)?
  flexibl[ey]
  robust(?:ly|ness)?
  scalable
  seamless(?:ly)?
  adequate(?:ly)?
  appropriate(?:ly)?
  sufficient(?:ly)?
  reasonabl[ey]
  acceptable
  suitabl[ey]
  several
  many
  few
  various
  numerous
  minimal(?:ly)?
  optimal(?:ly)?
  good
  better
  best
  large
  small
  significant(?:ly)?
  normal(?:ly)?
  typical(?:ly)?
  usual(?:ly)?
  often
  regularly
  frequent(?:ly)?
  approximately
  almost
  nearly
  modern
  state[- ]of[- ]the[- ]art
  high[- ]quality
  convenient(?:ly)?
  low[- ]latency
  responsive
  gracefully
  smooth(?:ly)?`)

/** Phrases that leave open whether the requirement applies. */
export const escapes = words(`
  (?:where|if|when|whenever|wherever) (?:possible|practicable|practical|feasible|applicable)
  (?:where|if|when|whenever|wherever) (?:appropriate|necessary|needed|required)
  as (?:far|much|soon) as (?:possible|practicable)
  as (?:appropriate|necessary|needed|applicable|required)
  to the extent (?:possible|practicable|necessary)
  unless impossible
  best[- ]effort
  ideally
  preferably
  try to
  attempt to`)

export const openEnds = words(`
  etc\\.?
  and so on
  and so forth
  including,? but not limited to
  and (?:others|more|similar)
  or (?:similar|the like)
  and the like
  among others`)

export const ability = words(`
  be (?:able|possible) to
  be capable of
  have the (?:ability|capability) to`)

export const absolutes = words(`
  all
  always
  any
  both
  every
  completely
  entirely
  fully`)

export const untimed = words(`
  immediate(?:ly)?
  instant(?:ly|aneous(?:ly)?)?
  real[- ]time
  soon
  promptly
  shortly
  eventually
  periodically
  timely
  in (?:a timely manner|due time)
  on the fly`)

export const technologies = words(`
  postgres(?:ql)?
  mysql
  mariadb
  oracle
  sqlite
  mongodb
  redis
  memcached
  elasticsearch
  cassandra
  dynamodb
  kafka
  rabbitmq
  react
  angular
  vue(?:\\.js)?
  svelte
  next\\.js
  node\\.js
  express
  fastify
  django
  rails
  laravel
  spring boot
  \\.net
  java
  javascript
  typescript
  python
  golang
  kotlin
  swift
  kubernetes
  docker
  terraform
  aws
  azure
  gcp
  lambda
  s3
  graphql
  grpc
  websockets?
  nginx
  apache`)

/** Common verbs of requirements: a statement that joins two of them is two requirements. */
export const verbs = new Set((
  'accept access add alert allow apply approve archive assign authenticate authorize block calculate cancel check ' +
  'clear close collect compare compute confirm convert copy create decrypt delete deliver deny detect disable ' +
  'display download edit emit enable encrypt enforce export fetch filter forward generate grant hide highlight ' +
  'ignore import include inform keep limit list load lock log mark notify offer open pause persist prevent print ' +
  'process prompt provide publish query queue read receive record redirect refuse register reject remove render ' +
  'replace report request reserve reset resolve restore resume retain retry return revoke save scan schedule search ' +
  'send show sign skip sort start stop store submit support synchronize terminate track transfer transmit unlock ' +
  'update upload validate verify warn withdraw write'
).split(' '))

export const participles = new Set((
  'sent shown kept stored made given taken written read done told built held put set found known seen lost chosen ' +
  'drawn driven hidden met paid run sold spent understood withdrawn'
).split(' '))

/** Abbreviations that need no explanation, and words in capitals that are not abbreviations. */
export const commonAcronyms = new Set((
  'API APIS URL URLS URI HTTP HTTPS JSON PDF PDFS CSV ID IDS UI HTML XML SQL UTC CPU RAM USB OK EUR USD GBP CHF SMS ' +
  'PIN FAQ GPS QR SSO TLS SSL IP TCP UDP DNS CSS PNG JPEG YAML ZIP AA AAA WCAG AES SHA RFC ISO UTF ASCII UUID TV PC ' +
  'AM PM EU US UK IT NOT AND OR IF WHEN WHILE WHERE THEN THE SYSTEM SHALL MUST SHOULD MAY REQUIRED RECOMMENDED ' +
  'OPTIONAL GIVEN GET PUT POST PATCH DELETE HEAD NFC LED CRUD CI CD'
).split(' '))
