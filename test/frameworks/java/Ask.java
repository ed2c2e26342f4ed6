// Loads all tools of a gateway with langchain4j, calls some, and prints what a model would get: one line of JSON.
// java Ask.java langchain4j ADDRESS CALLS, where CALLS is the JSON of a list of [name, arguments].
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderRequest;
import java.util.Map;
import java.util.TreeMap;

class Ask {
  private static final int LONGEST = 4000;
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    ObjectNode seen = JSON.createObjectNode();
    seen.putArray("loaded");
    ObjectNode results = seen.putObject("results");
    var transport = StreamableHttpMcpTransport.builder().url(args[1]).build();
    try (McpClient client = DefaultMcpClient.builder().transport(transport).build()) {
      var provider = McpToolProvider.builder().mcpClients(client).build();
      var listed = provider.provideTools(new ToolProviderRequest("1", UserMessage.from("x"))).tools();
      Map<String, ToolExecutor> tools = new TreeMap<>();
      listed.forEach((tool, executor) -> tools.put(tool.name(), executor));
      tools.keySet().forEach(seen.withArray("loaded")::add);
      for (JsonNode call : JSON.readTree(args[2])) {
        String name = call.get(0).asText();
        ObjectNode result = results.putObject(name);
        try {
          var request =
              ToolExecutionRequest.builder().id("1").name(name).arguments(call.get(1).toString());
          result.put("text", cut(tools.get(name).execute(request.build(), "1"), LONGEST));
        } catch (Throwable error) {
          result.put("error", cut(String.valueOf(error), 400));
        }
      }
    } catch (Throwable error) {
      seen.put("failed", cut(String.valueOf(error), 400));
    }
    System.out.println("\n" + seen);
    System.exit(0);
  }

  private static String cut(String text, int most) {
    return text == null ? "" : text.substring(0, Math.min(text.length(), most));
  }
}
