"""The processes of bots: started, watched, stopped and ended by a launcher that never loads gRPC."""
