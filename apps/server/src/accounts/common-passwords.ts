/** The passwords that are tried first by everyone who guesses; lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
password passw0rd p@ssw0rd p@ssword password1 password12 password123 password1234 passwort motdepasse
contraseña 123456 1234567 12345678 123456789 1234567890 12345679 0123456789 987654321 87654321 9876543210
11223344 1122334455 112233445566 111111 11111111 222222 22222222 333333 33333333 444444 44444444 555555
55555555 666666 66666666 777777 77777777 888888 88888888 999999 99999999 000000 00000000 121212 12121212
123123 123123123 12341234 123321 12344321 1234554321 123454321 654321 13131313 131313 696969 69696969
147258369 147852369 159357 1593572468 147258 258456 789456123 789456 456789 741852963 741852 963852741 852963
135792468 1357924680 102030 10203040 1020304050 20202020 19891989 19901990 19951995 20002000 20102010 20202021
qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop qwertyu qwert12345 asdfghjk
asdfghjkl asdfgh asdfasdf asdf1234 asdfqwer zxcvbnm zxcvbnm1 zxcvbnm123 zxcvbn qazwsx qazwsxedc qazwsx123
1qaz2wsx 1qaz2wsx3edc 1qazxsw2 2wsx3edc qwaszx q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1q2w3e4r 1q2w3e4r5t
1q2w3e4r5t6y 1q2w3e 123qwe 123qwe123 qwe123 qwe12345 qweasd qweasdzxc qwer1234 qwerasdf qweqweqwe 1234qwer
12qwaszx 123qweasd 123qweasdzxc asd12345 asd123456 zaq12wsx zaq1xsw2 zaq1zaq1 poiuytrewq lkjhgfdsa mnbvcxz
0987654321 09876543 poiuytre azerty azertyui azertyuiop azerty123 abc123 abc12345 abc123456 abc1234 abcd1234
abcd12345 abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefg1 a1b2c3d4 a1b2c3d4e5 a123456 a1234567 a12345678
a123456789 aa123456 aa12345678 aaa123456 aaaaaa aaaaaaaa aaaaaaaaaa q123456 q12345678 z123456 z12345678
x123456 s123456 1a2b3c4d 1a2b3c4d5e a11111111 aaa11111 abc11111 zzzzzzzz qqqqqqqq xxxxxxxx wwwwwwww asdasd
asdasdasd qwqwqwqw iloveyou iloveyou1 iloveyou2 iloveu iloveme loveyou lovelove loveme lovely love123 mylove
iloveher iloveyou123 woaini woaini520 woaini1314 woaini123 5201314 520131400 52013145 5211314 1314520 13145200
a5201314 aini1314 woaiwojia wozuiniu wangyut2 qq123456 qq123456789 qq5201314 wang123456 zhang123 zhangwei
liuyang1 nihao123 nihaoma1 nishizhu admin888 111222tianya caonima caonima1 admin admin1 admin12 admin123
admin1234 admin12345 administrator administrador root root1234 rootroot toor user1234 username test test123
test1234 test12345 testtest testing testing1 tester12 guest guest123 guest1234 demo1234 default changeme
changeme1 changeme123 letmein letmein1 letmein123 letmein1234 welcome welcome1 welcome12 welcome123
welcome1234 secret secret1 secret12 secret123 mypassword mypass123 newpassword passpass pass1234 pass12345
pass123456 passw0rd1 pa55word pa55w0rd login123 master master1 master12 master123 access access14 access123
trustno1 trustno1! opensesame enter123 system123 manager1 oracle123 server123 service1 support1 computer
computer1 internet internet1 hello hello123 hello1234 hellohello helloworld helloworld1 whatever whatever1
nothing nothing1 freedom freedom1 private private1 hunter hunter1 hunter2 hunter12 hunter123 huntertwo dragon
dragon1 dragon12 dragon123 monkey monkey1 monkey12 monkey123 shadow shadow1 shadow12 tigger tigger1 tiger123
tigers12 football football1 football12 baseball baseball1 basketball basketball1 hockey hockey12 soccer
soccer1 soccer12 soccer123 superman superman1 superman12 batman batman1 batman12 batman123 spiderman
spiderman1 ironman1 starwars starwars1 pokemon pokemon1 pokemon12 pokemon123 pikachu pikachu1 naruto naruto12
naruto123 minecraft minecraft1 fortnite fortnite1 roblox123 gameover gamer123 matrix matrix12 zeppelin
metallica metallica1 nirvana1 slipknot slipknot1 liverpool liverpool1 chelsea chelsea1 arsenal arsenal1
barcelona barcelona1 manchester manchester1 realmadrid juventus juventus1 yankees yankees1 cowboys cowboys1
lakers24 steelers steelers1 packers1 redskins eagles12 rangers1 mustang mustang1 ferrari ferrari1 porsche
porsche9 corvette mercedes mercedes1 bmw12345 yamaha12 kawasaki harley harley12 harleydavidson princess
princess1 princess12 sunshine sunshine1 sunshine12 sunshine123 flower flower12 flowers1 butterfly butterfly1
chocolate chocolate1 cookie cookie12 cookie123 peanut peanut12 pepper pepper12 ginger ginger12 buttercup
cupcake1 banana12 banana123 orange12 orange123 strawberry cherry12 apple123 snoopy12 garfield garfield1
scooby12 mickey12 mickeymouse minnie12 tinkerbell hellokitty hellokitty1 angel123 angels12 angelica babygirl
babygirl1 babyboy1 sweety12 sweetheart sweetpea beautiful beautiful1 pretty12 forever forever1 friends
friends1 friendship family12 mother12 mommy123 daddy123 blessed1 jesus123 jesus777 jesuschrist godisgood
godbless faith123 heaven12 christ12 church12 michael michael1 michael12 michelle michelle1 jennifer jennifer1
jessica jessica1 jordan jordan12 jordan23 jordan123 ashley12 amanda12 nicole12 daniel12 daniel123 andrew12
anthony anthony1 charlie charlie1 charlie12 charlie123 thomas12 thomas123 robert12 william1 william12 joshua12
matthew matthew1 christopher christian christian1 alexander alexander1 alexandra benjamin benjamin1 samantha
samantha1 elizabeth elizabeth1 victoria victoria1 patricia patricia1 veronica veronica1 caroline caroline1
nathalie natasha1 vanessa vanessa1 maverick maverick1 marlboro marlboro1 midnight midnight1 mountain mountain1
november december september october1 february summer summer12 summer123 summer2020 summer2021 summer2022
summer2023 summer2024 summer2025 winter12 winter123 winter2020 winter2023 winter2024 spring12 spring2024
autumn12 monday12 friday13 purple12 purple123 yellow12 silver12 golden12 diamond diamond1 diamonds crystal
crystal1 phoenix phoenix1 thunder thunder1 lightning hurricane tornado1 blizzard warrior warrior1 warriors
gladiator predator1 terminator assassin ninja123 samurai1 wizard12 magic123 mercury1 galaxy12 universe
startrek startrek1 scorpion scorpion1 killer12 killer123 hacker12 hacker123 fuckyou fuckyou1 fuckyou12
fuckyou123 fuckoff1 asshole asshole1 bullshit bigdick1 motherfucker pussy123 biteme12 bitcoin bitcoin1
bitcoin123 bitcoins ethereum ethereum1 solana solana12 solana123 crypto crypto12 crypto123 dogecoin dogecoin1
moonmoon tothemoon tothemoon1 wallet12 wallet123 binance1 binance123 coinbase coinbase1 blockchain trading1
trader12 trader123 money123 moneymoney millionaire dollar12 dollars1 business business1 success1 success12
samsung samsung1 samsung12 samsung123 iphone12 android1 google12 google123 facebook facebook1 twitter1
instagram youtube1 linkedin microsoft microsoft1 windows1 windows10 windows11 apple1234 nokia123 sony1234
xbox3600 nintendo nintendo1 playstation internet123 telefon telephone london12 paris123 newyork1 newyork12
america1 america123 california australia canada12 england1 germany1 france12 brasil12 mexico12 russia12
china123 beijing1 shanghai hongkong1 japan123 tokyo123 singapore taiwan12 india123 pakistan pakistan1
indonesia philippines vietnam1 thailand turkey12 istanbul fenerbahce galatasaray besiktas
`
    .trim()
    .split(/\s+/),
);
