/** A realistic product brief: prose, lists, a story, scenarios, a table, and gaps. */
export const brief = `# Parcel lockers for Larkspur Post

Larkspur Post wants lockers at forty petrol stations, so that customers can collect parcels at any hour.

## Problem

Couriers must come back up to three times when nobody is at home. One delivery in five fails, and each costs 4.20 EUR.

## Goals

- Customers collect parcels when it suits them.
- Couriers finish their round in one pass.

## Users

- Customer: collects a parcel
- Courier: fills the lockers
- Operator: looks after the lockers from the office

## User stories

As a customer, I want to open the locker with a code so that I need no app.

## Requirements

- The system must send a pickup code to the customer within 30 seconds after the courier closes the door.
- When a customer enters a wrong code five times, the locker must refuse further codes for 10 minutes.
- If the locker loses its network connection, then the locker must accept codes that it received before.
- Customers must be able to extend the pickup period once by 48 hours.
- Operators should see the state of every locker.
- The system must keep the log of openings for 90 days.
- The pickup page must load within 2 seconds and the courier must be able to see it.
- The customer page must meet WCAG 2.2 level AA.
- Door sizes: TBD

The system must:

- show the number of free doors to couriers
- encrypt all codes where possible

## Acceptance

- Given a locker without a network connection, when a customer enters a valid code, then the door opens.
- Given a parcel that waits, when the customer extends the period, then the new end is shown.

## Data

| Field | Type | Description |
|---|---|---|
| code | text | six digits |
| door | integer | number of the door |

## Out of scope

- Payment on delivery.
- Returns of parcels.

## Success

- At least 95 % of deliveries succeed at the first try.
- Customers like it.

## Assumptions

- Petrol stations provide power.

## Open questions

- Who pays for a parcel that is damaged in the locker?
`
