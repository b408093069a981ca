package transient

// Names and words in the languages that prompts are most often written in.

var months = []string{
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec",
	"Januar", "Februar", "März", "Mai", "Juni", "Juli", "Oktober", "Dezember",
}

var weekdays = []string{
	"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
	"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
}

// spanish are the names of months there, which are written small.
var spanish = []string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}

// calls are words behind which a date is that of the moment, and those behind
// which it grows old.
var calls = []struct {
	words string
	kind  Kind
}{
	{"today", Today},
	{"today is", Today},
	{"today's date", Today},
	{"today’s date", Today},
	{"current date", Today},
	{"current time", Today},
	{"current datetime", Today},
	{"date and time", Today},
	{"it is now", Today},
	{"it's now", Today},
	{"time is now", Today},
	{"now is", Today},
	{"timestamp", Today},
	{"last updated", AsOf},
	{"last modified", AsOf},
	{"generated", AsOf},
	{"generated at", AsOf},
	{"as of", AsOf},
	{"heute", Today},
	{"heute ist", Today},
	{"heute ist der", Today},
	{"heutiges datum", Today},
	{"aktuelles datum", Today},
	{"aktuelle uhrzeit", Today},
	{"zuletzt geändert", AsOf},
	{"hoy es", Today},
	{"fecha actual", Today},
	{"fecha de hoy", Today},
	{"hora actual", Today},
	{"今天是", Today},
	{"今天的日期是", Today},
	{"当前日期", Today},
	{"当前日期是", Today},
	{"当前时间", Today},
	{"当前时间是", Today},
	{"今日は", Today},
	{"本日は", Today},
	{"現在の日付", Today},
	{"現在の日付は", Today},
	{"現在の日時", Today},
	{"現在の日時は", Today},
	{"現在時刻", Today},
	{"現在時刻は", Today},
}
