import t from '../../../test/tap.js'
import { readCsv } from 'steward-document-reader/document'
import { compile, source } from '../../spec-engine/test/engine/material.js'

const read = (text: string) => {
  const { tables, unsure } = readCsv(text)
  const valuesOf = (cells: { start: number, end: number }[]) => cells.map(({ start, end }) => text.slice(start, end))
  const rows = tables.flatMap(({ records }) => records.map(valuesOf))
  return { header: tables.map(({ header }) => header), rows, unsure }
}

t.test('a comma with a space behind it is text where the columns stand without one', async (t) => {
  t.same(read('ID,Description,Priority\nR1,Show name, price and stock,High\nR2,Sort by date,Low\n'), {
    header: [['ID', 'Description', 'Priority']],
    rows: [['R1', 'Show name, price and stock', 'High'], ['R2', 'Sort by date', 'Low']],
    unsure: undefined
  })
})

t.test('commas that only one column can have are put back into it, first, in the middle or last', async (t) => {
  const long = 'The system must show the name,the price and the stock of each article'
  t.same(read(`ID,Priority,Requirement\nR1,High,${long}\nR2,Low,The system must sort the articles by date\n`).rows[0],
    ['R1', 'High', long])
  t.same(read(`ID,Requirement,Priority\nR1,${long},High\nR2,The system must sort the articles by date,Low\n`).rows[0],
    ['R1', long, 'High'])
  t.same(read(`ID,Requirement\nR1,${long}\n`).rows[0], ['R1', long])
})

t.test('a record in doubt is named with its line, and empty values at its end are none', async (t) => {
  const text = 'ID,Requirement,Notes\nR1,It must show the name,price,and stock,as agreed with the board,today\n'
  t.same(read(text).unsure, { line: 2, values: 6, columns: 3 })
  t.equal(read('ID,Requirement\nR1,It must open,,,\n').unsure, undefined)
})

t.test('semicolons, tabs, a line for Excel, titles and a second table are read', async (t) => {
  t.same(read('ID;Anforderung;Prio\nA1;Das System muss suchen, filtern und sortieren;hoch\n').rows,
    [['A1', 'Das System muss suchen, filtern und sortieren', 'hoch']])
  t.same(read('sep=;\r\nID;Text\r\nA1;Eins, zwei, drei\r\n').rows, [['A1', 'Eins, zwei, drei']])
  t.same(read('ID\tText\nA1\tOne, two\n').rows, [['A1', 'One, two']])
  const two = read('Export of 3 June\nID,Requirement\nR1,It must open\n\nRole,May open,May close\nGuest,yes,no\n')
  t.same(two.header, [['ID', 'Requirement'], ['Role', 'May open', 'May close']])
  t.same(two.rows, [['R1', 'It must open'], ['Guest', 'yes', 'no']])
})

t.test('records without names of columns are requirements with their ids', async (t) => {
  const text = 'R-1,The system must open the door in 5 s.,High\nR-2,Show the state of each door to guards,Low\n'
  const { requirements } = compile([source(text, { media_type: 'text/csv' })])
  t.same(requirements.map(({ source_ids: ids, statement }) => [ids, statement]), [
    [['R-1'], 'The system must open the door in 5 s.'],
    [['R-2'], 'Show the state of each door to guards']
  ])
})

t.test('a file whose columns nobody knows is listed, not passed over in silence', async (t) => {
  const text = 'Thing,Remark of Ada\nDoor,opens by itself when guests come\n'
  const { requirements, not_taken: left } = compile([source(text, { media_type: 'text/csv' })])
  t.same([requirements, left?.map(({ quote, why }) => [quote, why])], [[],
    [['opens by itself when guests come', 'Nothing says whether it is demanded']]])
})
