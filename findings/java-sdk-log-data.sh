#!/bin/sh
# MCP Java SDK 2.1.0 (Maven Central, io.modelcontextprotocol.sdk:mcp): a log notification whose data is an object is lost.
#
# Guess: a client with a logging consumer gets each `notifications/message`. Its `data` may be "any JSON serializable type", and the
# example of the specification (revision 2025-11-25, server/utilities/logging) is an object.
# Seen (29 November 2026): `data` is read as a String. A text arrives, also a number, as text. An object and a list are a
# MismatchedInputException in the SDK's log; the consumer is not called, and the call that they belong to goes on. A server that wants
# to be read there logs texts.
#
#   text: read as "connected"
#   number: read as "5"
#   object: not read
#   list: not read
#
# Needs java (17 or newer) and mvn. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/src/main/java"
cd "$folder"

cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <properties><maven.compiler.release>17</maven.compiler.release></properties>
  <dependencies>
    <dependency>
      <groupId>io.modelcontextprotocol.sdk</groupId>
      <artifactId>mcp</artifactId>
      <version>2.1.0</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
    </plugins>
  </build>
</project>
XML

cat > src/main/java/Run.java <<'JAVA'
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;

public class Run {
  public static void main(String[] args) throws Exception {
    read("text", "\"connected\"");
    read("number", "5");
    read("object", "{\"error\":\"Connection failed\",\"details\":{\"port\":5432}}");
    read("list", "[1,2]");
  }

  static void read(String kind, String data) throws Exception {
    String params = "{\"level\":\"error\",\"logger\":\"database\",\"data\":" + data + "}";
    try {
      var read = McpJsonDefaults.getMapper().readValue(params, LoggingMessageNotification.class);
      System.out.println(kind + ": read as \"" + read.data() + "\"");
    } catch (Exception error) {
      System.out.println(kind + ": not read");
    }
  }
}
JAVA

mvn -q -B compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -Dmdep.outputFile=classpath > maven.log 2>&1 \
  || { cat maven.log >&2; exit 1; }
output=$(java -cp "target/classes:$(cat classpath)" Run 2>/dev/null)
echo "$output"
expected='text: read as "connected"
number: read as "5"
object: not read
list: not read'
[ "$output" = "$expected" ] || { echo "another behaviour than the one that was seen" >&2; exit 1; }
