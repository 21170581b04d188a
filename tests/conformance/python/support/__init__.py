"""What the cases stand on. There is no client library here: generated messages, a generated stub, and ways to write them down briefly."""
