"""The five places of Gritboard: host, join, play, gm and screen; one thin file each."""
