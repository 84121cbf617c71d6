"""Reading for clients: sessions, limits of a response, long polls."""
