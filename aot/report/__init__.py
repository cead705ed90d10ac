"""What people look at after a build: screen, page, data and differences."""
