"""Submissions: how a bot is entered, limits, uploads, states; remote bots, scrimmages, and the queue for examiners."""
