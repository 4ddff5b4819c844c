/** A draft: decree plans nothing from it until a person approves it. */
export const EXAMPLE_SPEC = `---
title: An example
status: draft
---

# An example

Say here what people shall be able to do, and why. decree reads this file from the default branch of the forge.

As long as the status above is \`draft\`, nothing happens. Change it to \`approved\`, commit and push: the planner splits
the spec into work items, and every later change of the text is planned as well.

## Requirements

- One sentence per requirement, such that a test could tell whether it is met.
- Name files, functions and commands where you know them; leave out what an engineer would work out.

## Not part of this

- What nobody should build by accident.
`;
