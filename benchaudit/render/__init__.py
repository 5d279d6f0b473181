"""Card in, text out: one module a format."""
