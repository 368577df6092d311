DROP TABLE submissions;
DROP TABLE session_turns;
DROP TABLE sessions;
