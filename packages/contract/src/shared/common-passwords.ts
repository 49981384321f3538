/** Common passwords of at least eight characters from leaked lists, in lower case. */
const COMMON = new Set(
  `00000000 01234567 0123456789 10203040 11111111 1111111111 11223344 1122334455 12121212 123123123 12341234 1234554321
  12345678 123456789 1234567890 1234567891 123456789a 12345678910 123456abc 1234qwer 123456qwerty 123qweasd 123qwe123
  147258369 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 22222222 741852963 77777777 87654321 88888888 963852741 987654321
  9876543210 99999999 a1234567 a12345678 a123456789 aa123456 aa12345678 aaaaaaaa abc12345 abc123456 abcd1234 abcdefgh
  access14 admin123 admin1234 admin12345 administrator adminadmin alexander asdf1234 asdfasdf asdfghjk asdfghjkl
  asdfghjkl; baseball basketball batman123 blahblah blink182 butterfly california changeit changeme changeme1
  changeme123 charlie1 cheyenne chocolate christian computer corvette danielle dearbook dragon123 elizabeth explorer
  facebook football football1 garfield guest123 hello123 helloworld iloveyou iloveyou1 internet jennifer jonathan
  jordan23 letmein1 letmein123 liverpool login123 marlboro master123 maverick mercedes michael1 michelle midnight
  minecraft monkey123 mustang1 myspace1 nicholas p@ssw0rd p@ssword passw0rd passw0rd1 password password! password1
  password1! password11 password12 password123 password1234 password123! passpass patricia pokemon123 princess
  princess1 q1w2e3r4 q1w2e3r4t5 qazwsxedc qwer1234 qwerasdf qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
  qwertyui qwertyuiop root1234 samantha scorpion secret123 security startrek starwars steelers stephanie success1
  sunshine sunshine1 superman superman1 swordfish test1234 testtest thunder1 trustno1 user1234 victoria welcome1
  welcome123 welcome1234 whatever william1 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zxcvbnm,`.split(/\s+/),
);

/** Returns whether a password is common, ignoring letter case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
