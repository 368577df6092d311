//! Agents: a name, instructions, a model and a form.
