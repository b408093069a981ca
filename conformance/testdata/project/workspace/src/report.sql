select name, every from plants order by every;
