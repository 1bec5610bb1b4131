/** A brief's facts, and drafts that cite some of them: true ones in other words, and ones with a planted fault. */
export interface Case { facts: Record<string, string>, drafts: Draft[] }
export type Kind = 'number' | 'name' | 'date' | 'negated' | 'overclaim' | 'source'
/** Without a kind the draft is true. */
export interface Draft { text: string, cites: string[], kind?: Kind }

const yes = (text: string, ...cites: string[]): Draft => ({ text, cites })
const no = (kind: Kind, text: string, ...cites: string[]): Draft => ({ kind, text, cites })

export const cases: Case[] = [{
  facts: {
    r1: 'Release 3.2 has four changes and twelve fixes.',
    r2: 'It was released on 3 March 2026.',
    r3: 'The importer reads CSV files of up to 200 MB.',
    r4: 'Nora Lind maintains the importer.'
  },
  drafts: [
    yes('There are 4 changes in release 3.2.', 'r1'),
    yes('Twelve bugs were fixed, and 4 things changed.', 'r1'),
    yes('The release came out on March 3, 2026.', 'r2'),
    yes('CSV files may have up to 200 megabytes.', 'r3'),
    yes('The importer is looked after by Nora Lind.', 'r4'),
    no('number', 'There are twelve changes and four fixes in release 3.2.', 'r1'),
    no('date', 'It was released on 13 March 2026.', 'r2'),
    no('number', 'The importer reads CSV files of up to 250 MB.', 'r3'),
    no('name', 'Lena Nord maintains the importer.', 'r4'),
    no('source', 'The importer reads files of up to 200 MB.', 'r4')
  ]
}, {
  facts: {
    c1: 'The median checkout took 21 seconds in the March study; the old one took 35 seconds.',
    c2: '1,240 customers in Denmark and Norway took part.',
    c3: 'Most customers chose one-tap pay.',
    c4: 'Lars Holm of Kalmar Bank said: "We had fewer calls in the first week."'
  },
  drafts: [
    yes('A checkout took 21 seconds, where the old one needed 35.', 'c1'),
    yes('In the study of March the median was twenty-one seconds.', 'c1'),
    yes('The study covered 1240 customers from Norway and Denmark.', 'c2'),
    yes('One-tap pay was the choice of most customers.', 'c3'),
    yes('“We had fewer calls in the first week,” says Lars Holm of Kalmar Bank.', 'c4'),
    no('number', 'The median checkout took 35 seconds; the old one took 21 seconds.', 'c1'),
    no('name', '1,240 customers in Denmark and Sweden took part.', 'c2'),
    no('overclaim', 'All customers chose one-tap pay.', 'c3'),
    no('source', 'Lars Holm said: “We had no calls in the first week.”', 'c4'),
    no('name', 'Kalmar Bank and Nordea endorse the checkout.', 'c4')
  ]
}, {
  facts: {
    b1: 'A backup runs every 30 minutes and is kept for 14 days.',
    b2: 'Backups are encrypted before they leave the machine.',
    b3: 'A restore may take up to two hours.',
    b4: 'The region Frankfurt opens in June 2026, the region Oslo in September 2026.'
  },
  drafts: [
    yes('Every half an hour a backup is made.', 'b1'),
    yes('Each backup stays for two weeks.', 'b1'),
    yes('Before they leave the machine, backups are encrypted.', 'b2'),
    yes('Restoring may take up to 2 hours.', 'b3'),
    yes('Oslo follows in September 2026, after Frankfurt in June.', 'b4'),
    no('number', 'A backup runs every 15 minutes.', 'b1'),
    no('negated', 'Backups are not encrypted before they leave the machine.', 'b2'),
    no('overclaim', 'A restore takes two hours.', 'b3'),
    no('date', 'The region Oslo opens in June 2026.', 'b4'),
    no('date', 'The region Frankfurt opens in July 2026.', 'b4')
  ]
}, {
  facts: {
    s1: 'Support answers within 4 hours on weekdays.',
    s2: 'The team in Lisbon has nine people, the team in Porto five.',
    s3: 'In 2025 the team closed 8,400 tickets, 12 % more than in 2024.',
    s4: 'Phone support ends on 31 December 2026.'
  },
  drafts: [
    yes('On weekdays you hear from support within four hours.', 's1'),
    yes('Nine people work in Lisbon and 5 in Porto.', 's2'),
    yes('Compared with 2024, the team closed 12 percent more tickets in 2025.', 's3'),
    yes('The team closed 8400 tickets in 2025.', 's3'),
    yes('There is phone support until 31 December 2026.', 's4'),
    no('number', 'Support answers within 14 hours on weekdays.', 's1'),
    no('number', 'The team in Porto has nine people.', 's2'),
    no('negated', 'In 2025 the team closed 12 % fewer tickets than in 2024.', 's3'),
    no('date', 'In 2026 the team closed 8,400 tickets.', 's3'),
    no('negated', 'Phone support starts on 31 December 2026.', 's4')
  ]
}, {
  facts: {
    e1: 'The engine uses 40 MB of memory with one index.',
    e2: 'Search is faster than in version 2 for indexes above 1 GB.',
    e3: 'The index format does not change.',
    e4: 'The work was funded by the Sigrid Foundation.'
  },
  drafts: [
    yes('With one index the engine needs forty megabytes of memory.', 'e1'),
    yes('For indexes above 1 GB, search is faster than version 2.', 'e2'),
    yes('The format of the index is not changed.', 'e3'),
    yes('There is no change to the index format.', 'e3'),
    yes('The Sigrid Foundation paid for the work.', 'e4'),
    no('number', 'The engine uses 40 GB of memory with one index.', 'e1'),
    no('negated', 'Search is slower than in version 2 for indexes above 1 GB.', 'e2'),
    no('negated', 'The index format changes.', 'e3'),
    no('name', 'The work was funded by the Ingrid Foundation.', 'e4'),
    no('overclaim', 'Search is always the fastest for indexes above 1 GB.', 'e2')
  ]
}, {
  facts: {
    p1: 'The basic plan costs $19 a month, the team plan $49.',
    p2: 'Students pay half the price.',
    p3: 'Plans can be cancelled at any time.',
    p4: 'Prices change on 1 May 2027.'
  },
  drafts: [
    yes('For $19 a month you get the basic plan.', 'p1'),
    yes('The team plan is 49 dollars, the basic plan 19 dollars a month.', 'p1'),
    yes('The price for students is half.', 'p2'),
    yes('You can cancel a plan at any time.', 'p3'),
    yes('New prices hold from 1 May 2027.', 'p4'),
    no('number', 'The team plan costs $19 a month.', 'p1'),
    no('number', 'The basic plan costs €19 a month.', 'p1'),
    no('negated', 'Plans cannot be cancelled at any time.', 'p3'),
    no('date', 'Prices change on 5 January 2027.', 'p4'),
    no('overclaim', 'Students always get every plan completely free.', 'p2')
  ]
}, {
  facts: {
    l1: 'The library was written by Mei Tanaka in Osaka.',
    l2: 'It has 52 contributors from eleven countries.',
    l3: 'Version 1.0 was published in April 2019.',
    l4: 'Some functions are experimental.'
  },
  drafts: [
    yes('Mei Tanaka wrote the library in Osaka.', 'l1'),
    yes('Fifty-two contributors come from 11 countries.', 'l2'),
    yes('In April 2019 version 1.0 was published.', 'l3'),
    yes('A few functions are experimental.', 'l4'),
    yes('There are 52 contributors.', 'l2'),
    no('name', 'The library was written by Mei Tanaka in Kyoto.', 'l1'),
    no('number', 'It has 11 contributors from 52 countries.', 'l2'),
    no('date', 'Version 1.0 was published in August 2019.', 'l3'),
    no('overclaim', 'All functions are proven.', 'l4'),
    no('source', 'It has 52 contributors.', 'l1')
  ]
}, {
  facts: {
    t1: 'Trains between Bergen and Voss run twice an hour.',
    t2: 'The new tunnel is 7.4 km long.',
    t3: 'The tunnel is expected to open in autumn 2028.',
    t4: 'Bane Nord owns the tunnel; Vy operates the trains.'
  },
  drafts: [
    yes('Between Voss and Bergen a train runs two times an hour.', 't1'),
    yes('The length of the new tunnel is 7.4 kilometres.', 't2'),
    yes('The opening of the tunnel is planned for autumn 2028.', 't3'),
    yes('The trains are operated by Vy.', 't4'),
    yes('The tunnel belongs to Bane Nord.', 't4'),
    no('name', 'Trains between Bergen and Flåm run twice an hour.', 't1'),
    no('number', 'The new tunnel is 74 km long.', 't2'),
    no('overclaim', 'The tunnel opens in autumn 2028.', 't3'),
    no('name', 'Vy owns the tunnel.', 't4'),
    no('date', 'The tunnel is expected to open in autumn 2027.', 't3')
  ]
}, {
  facts: {
    m1: 'The museum lends 320 objects, 45 of them for the first time.',
    m2: 'The exhibition is open until 28 February 2027.',
    m3: 'Photography without flash is allowed.',
    m4: 'The curator is Amal Haddad.'
  },
  drafts: [
    yes('Of the 320 objects on loan, 45 are lent for the first time.', 'm1'),
    yes('Visitors can see it until 28 February 2027.', 'm2'),
    yes('You may take photographs without flash.', 'm3'),
    yes('Amal Haddad is its curator.', 'm4'),
    yes('Until February 2027 the exhibition is open.', 'm2'),
    no('number', 'The museum lends 45 objects, 320 of them for the first time.', 'm1'),
    no('date', 'The exhibition is open until 28 January 2027.', 'm2'),
    no('negated', 'Photography without flash is not allowed.', 'm3'),
    no('name', 'The curator is Amal Hassan.', 'm4'),
    no('negated', 'The exhibition opens after 28 February 2027.', 'm2')
  ]
}, {
  facts: {
    d1: 'Deployments are rolled back when 3 of 10 health checks fail.',
    d2: 'The pilot ran with 6 teams in Hamburg.',
    d3: 'Rollbacks usually take less than 90 seconds.',
    d4: 'Secrets are never written to logs.'
  },
  drafts: [
    yes('When three of ten health checks fail, the deployment is rolled back.', 'd1'),
    yes('Six teams in Hamburg took part in the pilot.', 'd2'),
    yes('A rollback usually takes less than a minute and a half.', 'd3'),
    yes('Secrets are not written to logs.', 'd4'),
    yes('No secret is written to a log.', 'd4'),
    no('number', 'Deployments are rolled back when 5 of 10 health checks fail.', 'd1'),
    no('name', 'The pilot ran with 6 teams in Munich.', 'd2'),
    no('overclaim', 'Rollbacks take less than 90 seconds, guaranteed.', 'd3'),
    no('negated', 'Secrets are written to logs.', 'd4'),
    no('source', 'Rollbacks take less than 90 seconds.', 'd1')
  ]
}, {
  facts: {
    w1: 'The worker was hired in Part IV of the report, page 17.',
    w2: 'Ada Obi founded the firm in 2011; Ben Ito joined in 2014.',
    w3: 'The firm grew from 12 to 80 people.',
    w4: 'The audit found no serious faults.'
  },
  drafts: [
    yes('Part 4 of the report, on page 17, says who was hired.', 'w1'),
    yes('The firm was founded by Ada Obi in 2011.', 'w2'),
    yes('Ben Ito came in 2014.', 'w2'),
    yes('From 12 people the firm grew to 80.', 'w3'),
    yes('No serious faults were found by the audit.', 'w4'),
    no('number', 'Part VI of the report says who was hired.', 'w1'),
    no('name', 'Ben Ito founded the firm in 2011.', 'w2'),
    no('date', 'Ada Obi founded the firm in 2014.', 'w2'),
    no('negated', 'The firm shrank from 80 to 12 people.', 'w3'),
    no('negated', 'The audit found serious faults.', 'w4')
  ]
}, {
  facts: {
    h1: 'The heat pump saves about 1.2 tonnes of carbon dioxide a year.',
    h2: 'It was tested at minus 20 degrees in Tromsø.',
    h3: 'The warranty lasts five years.',
    h4: 'The institute Velux Lab tested it in January 2026; it did not test the filter.'
  },
  drafts: [
    yes('About 1.2 tonnes of carbon dioxide are saved each year.', 'h1'),
    yes('In Tromsø it was tested at minus 20 degrees.', 'h2'),
    yes('You have a warranty of 5 years.', 'h3'),
    yes('Velux Lab did the test in January 2026.', 'h4'),
    yes('The filter was not tested.', 'h4'),
    no('number', 'The heat pump saves about 12 tonnes of carbon dioxide a year.', 'h1'),
    no('name', 'It was tested at minus 20 degrees in Kiruna.', 'h2'),
    no('number', 'The warranty lasts fifteen years.', 'h3'),
    no('overclaim', 'Velux Lab recommends the heat pump as the best.', 'h4'),
    no('negated', 'The institute tested the filter in January 2026.', 'h4')
  ]
}]
